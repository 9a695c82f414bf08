package com.example.ledger;

import java.util.*;
import java.util.function.Function;
import static java.lang.Math.max;

/** A ledger. The word post in this comment is no code. */
@Deprecated
public abstract class Ledger<T extends Comparable<T>> extends Book<T> implements Iterable<T>, AutoCloseable {
    public static final String NAME = "post";
    private final List<T> entries = new ArrayList<>(), spare = null;
    protected int total;

    public Ledger(int capacity) {
        this.total = capacity;
    }

    @Override
    public <R> R post(T entry, Function<? super T, R> then, int... tags) throws LedgerException {
        int size = entries.size();
        for (T each : entries) {
            if (each instanceof String text && text.isEmpty()) {
                size--;
            }
        }
        try (Scanner in = new Scanner(System.in)) {
            total = max(size, in.nextInt());
        } catch (RuntimeException | Error problem) {
            throw new LedgerException("post failed", problem);
        }
        Runnable later = () -> post(entry, x -> null);
        return then.apply(entry);
    }

    abstract void audit();

    public enum State {
        OPEN, CLOSED(1) {
            @Override boolean isFinal() { return true; }
        };

        private int code;

        State(int... code) { }

        boolean isFinal() { return false; }
    }

    interface Listener extends java.util.EventListener, Comparable<Listener> {
        int PRIORITY = 1;
        void posted(Ledger<?> ledger);
    }

    public record Entry(String key, long amount) implements Comparable<Entry> {
        Entry {
            key = key.strip();
        }
        public int compareTo(Entry other) { return Long.compare(amount, other.amount); }
    }

    @interface Audited {
        String by() default "post";
    }
}
