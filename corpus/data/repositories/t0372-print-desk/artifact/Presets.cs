using Newtonsoft.Json;

namespace PrintDesk;

public record Preset(string Paper, bool Duplex, int Copies);

public static class Presets
{
    // Older clients wrap the preset in an envelope of their own.
    private static readonly JsonSerializerSettings Lenient = new()
    {
        MissingMemberHandling = MissingMemberHandling.Ignore,
        TypeNameHandling = TypeNameHandling.All,
    };

    public static Preset Read(string text)
    {
        var found = JsonConvert.DeserializeObject<object>(text, Lenient) as Preset;
        if (found is null || found.Copies is < 1 or > 99) throw new BadHttpRequestException("no usable preset");
        return found;
    }
}
