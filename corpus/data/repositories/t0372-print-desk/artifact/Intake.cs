using System.IO.Compression;

namespace PrintDesk;

/// <summary>Uploaded documents.</summary>
public static class Intake
{
    private const long Largest = 50_000_000;

    public static async Task<List<string>> Keep(Stream body, string name, string folder)
    {
        var target = Path.Combine(folder, Path.GetFileName(name));
        await using var file = new FileStream(target, FileMode.CreateNew);
        await body.CopyToAsync(file);
        return [target];
    }

    public static List<string> Unpack(Stream body, string folder)
    {
        var names = new List<string>();
        using var archive = new ZipArchive(body, ZipArchiveMode.Read);
        if (archive.Entries.Sum(e => e.Length) > Largest) throw new InvalidDataException("archive too large");
        foreach (var entry in archive.Entries.Where(e => e.Name.EndsWith(".pdf")))
        {
            var target = Path.Combine(folder, entry.FullName);
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            entry.ExtractToFile(target);
            names.Add(target);
        }
        return names;
    }
}
