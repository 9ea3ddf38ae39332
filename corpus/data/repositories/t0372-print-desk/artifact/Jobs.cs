using System.Security.Cryptography;
using Microsoft.Data.Sqlite;

namespace PrintDesk;

public record Job(long Id, string Reader, string Path);

/// <summary>Jobs and readers in SQLite.</summary>
public sealed class Jobs(string data)
{
    private SqliteCommand Command(string text, params (string Name, object Value)[] values)
    {
        var db = new SqliteConnection($"Data Source={System.IO.Path.Combine(data, "desk.db")}");
        db.Open();
        var command = db.CreateCommand();
        command.CommandText = text;
        foreach (var (name, value) in values) command.Parameters.AddWithValue(name, value);
        return command;
    }

    public string NewFolder() => Directory.CreateDirectory(System.IO.Path.Combine(data, Guid.NewGuid().ToString("N"))).FullName;

    public bool CardAccepted(string card, string pin)
    {
        using var row = Command("SELECT salt, hash FROM reader WHERE card = $card", ("$card", card)).ExecuteReader();
        if (!row.Read()) return false;
        var hash = Rfc2898DeriveBytes.Pbkdf2(pin, (byte[])row[0], 600_000, HashAlgorithmName.SHA256, 32);
        return CryptographicOperations.FixedTimeEquals(hash, (byte[])row[1]);
    }

    public long Add(string reader, string path) => (long)Command(
        "INSERT INTO job (reader, path) VALUES ($reader, $path) RETURNING id", ("$reader", reader), ("$path", path)).ExecuteScalar()!;

    public Job? Find(long id)
    {
        using var row = Command("SELECT id, reader, path FROM job WHERE id = $id", ("$id", id)).ExecuteReader();
        return row.Read() ? new Job(row.GetInt64(0), row.GetString(1), row.GetString(2)) : null;
    }

    public List<long> OfReader(string reader)
    {
        var found = new List<long>();
        using var rows = Command("SELECT id FROM job WHERE reader = $reader", ("$reader", reader)).ExecuteReader();
        while (rows.Read()) found.Add(rows.GetInt64(0));
        return found;
    }

    public bool Delete(long id) => Command("DELETE FROM job WHERE id = $id", ("$id", id)).ExecuteNonQuery() == 1;

    public bool Release(long id) => Command("UPDATE job SET released = 1 WHERE id = $id", ("$id", id)).ExecuteNonQuery() == 1;

    public bool IsStaff(string reader) =>
        Command("SELECT 1 FROM reader WHERE card = $card AND staff = 1", ("$card", reader)).ExecuteScalar() is not null;

    public void SetPreset(string reader, Preset p) => Command(
        "UPDATE reader SET paper = $paper, duplex = $duplex, copies = $copies WHERE card = $card",
        ("$paper", p.Paper), ("$duplex", p.Duplex), ("$copies", p.Copies), ("$card", reader)).ExecuteNonQuery();

    public Dictionary<string, long> Report(string printer)
    {
        var found = new Dictionary<string, long>();
        using var rows = Command(
            $"SELECT day, SUM(pages) FROM printed WHERE printer LIKE '{printer}%' GROUP BY day").ExecuteReader();
        while (rows.Read()) found[rows.GetString(0)] = rows.GetInt64(1);
        return found;
    }
}
