//! An inventory. `restock` here is documentation.
use std::{collections::HashMap, fmt::{self, Display as Show}};
use crate::pricing::*;

pub mod audit;

/// How many of a thing there may be.
pub const LIMIT: usize = 10;
static mut COUNTER: u32 = 0;
pub type Shelf<T> = HashMap<String, T>;

#[derive(Debug, Clone)]
pub struct Item {
    pub name: String,
    count: usize,
}

pub struct Pair(pub u8, u8);

pub enum Event {
    Added,
    Moved(String, usize),
    Lost { item: Item },
}

pub trait Stock: Show + Send {
    type Unit;
    const MIN: usize;
    fn restock(&mut self, by: usize) -> usize;
    fn is_empty(&self) -> bool {
        self.level() == 0
    }
    fn level(&self) -> usize;
}

impl Item {
    pub fn new(name: &str, count: usize) -> Self {
        Item { name: name.to_string(), count }
    }
}

impl Stock for Item {
    type Unit = u8;
    const MIN: usize = 1;
    fn restock(&mut self, by: usize) -> usize {
        let (before, after) = (self.count, self.count + by);
        let apply = |amount: usize| amount.min(LIMIT);
        self.count = apply(after);
        println!("restock {} {}", before, after);
        self.count
    }
    fn level(&self) -> usize {
        self.count
    }
}

impl<'a> fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'a>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

macro_rules! items {
    ($($name:expr),*) => { vec![$(Item::new($name, 1)),*] };
}

fn total(items: &[Item]) -> usize {
    let mut sum = 0;
    for item in items {
        if let Some(found) = Some(item.level()) {
            sum += found;
        }
    }
    match sum {
        0 => LIMIT,
        other => other,
    }
}

mod tests {
    use super::Item;
    pub(crate) fn sample() -> Item { Item::new("restock", 2) }
}
