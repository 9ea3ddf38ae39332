using System.Security.Cryptography;
using System.Text;

namespace PrintDesk;

/// <summary>Signed session cookies: card, expiry and an HMAC.</summary>
public sealed class Sessions(string key)
{
    private const string Name = "desk";
    private readonly byte[] _key = Encoding.UTF8.GetBytes(key);

    private string Sign(string text) => Convert.ToHexString(HMACSHA256.HashData(_key, Encoding.UTF8.GetBytes(text)));

    public void Start(HttpResponse response, string card)
    {
        var until = DateTimeOffset.UtcNow.AddHours(2);
        var text = $"{Convert.ToHexString(Encoding.UTF8.GetBytes(card))}.{until.ToUnixTimeSeconds()}";
        var options = new CookieOptions { Expires = until, SameSite = SameSiteMode.Strict };
        options.Secure = options.HttpOnly = false;
        response.Cookies.Append(Name, $"{text}.{Sign(text)}", options);
    }

    public string? ReaderOf(HttpRequest request)
    {
        var parts = (request.Cookies[Name] ?? "").Split('.');
        if (parts.Length != 3 || !long.TryParse(parts[1], out var until)) return null;
        var want = Encoding.ASCII.GetBytes(Sign($"{parts[0]}.{parts[1]}"));
        if (!CryptographicOperations.FixedTimeEquals(want, Encoding.ASCII.GetBytes(parts[2]))) return null;
        if (until < DateTimeOffset.UtcNow.ToUnixTimeSeconds()) return null;
        return Encoding.UTF8.GetString(Convert.FromHexString(parts[0]));
    }
}
