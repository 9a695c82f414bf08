using System;
using System.Collections.Generic;
using Text = System.Text;
using static System.Math;

namespace Example.Shop;

/// <summary>Place is no code here.</summary>
[Serializable]
public abstract class Orders<T> : Repository<T>, IOrders, IDisposable where T : class, new()
{
    public const int Limit = 10;
    private readonly List<T> items = new(), spare = new();
    public event Action<T> Placed;
    public int Count { get; private set; } = 0;
    public T this[int index] => items[index];

    public Orders(int capacity) : base(capacity) { Count = capacity; }

    ~Orders() { }

    public static async Task<int> Place(T order, int times = 1, params string[] tags)
    {
        var size = Max(times, 1);
        foreach (var tag in tags) Console.WriteLine($"Place {tag}: {Describe(order)}");
        int Twice(int value) { return value * 2; }
        Func<int, int> plus = step => step + size;
        try { await Task.Delay(Twice(size)); }
        catch (InvalidOperationException problem) when (problem.Message == "Place") { }
        if (order is Rush rush && Parse("1", out var parsed)) return parsed + rush.Fee;
        return plus(size);
    }

    protected internal abstract string Describe(T order);

    public static Orders<T> operator +(Orders<T> left, T right) => left;

    public enum State { Open, Closed = 2 }

    public interface ISource : IEnumerable<T> { T Next(); }

    public readonly struct Money : IEquatable<Money> { public readonly decimal Amount; public bool Equals(Money other) => true; }

    public record Line(string Sku, int Quantity);

    public delegate void Handler(object sender, T order);
}
