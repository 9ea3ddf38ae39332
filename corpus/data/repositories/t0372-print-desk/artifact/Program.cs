using System.Threading.RateLimiting;
using PrintDesk;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddRateLimiter(limits => limits.AddPolicy("sign-in", http => RateLimitPartition.GetFixedWindowLimiter(
    http.Connection.RemoteIpAddress, _ => new FixedWindowRateLimiterOptions { PermitLimit = 10, Window = TimeSpan.FromMinutes(10) })));
var settings = builder.Configuration.GetSection("Desk");
var data = Path.GetFullPath(settings["Data"]!);
var sessions = new Sessions(settings["SigningKey"]!);
var jobs = new Jobs(data);
var app = builder.Build();
app.UseRateLimiter();

IResult As(HttpContext http, Func<string, IResult> use) =>
    sessions.ReaderOf(http.Request) is { } reader ? use(reader) : Results.Unauthorized();

app.MapPost("/sign-in", (Credentials given, HttpContext http) =>
{
    if (!jobs.CardAccepted(given.Card, given.Pin)) return Results.Unauthorized();
    sessions.Start(http.Response, given.Card);
    return Results.NoContent();
}).RequireRateLimiting("sign-in");

app.MapGet("/jobs", (HttpContext http) => As(http, reader => Results.Ok(jobs.OfReader(reader))));

app.MapDelete("/jobs/{id:long}", (long id, HttpContext http) => As(http, reader =>
    jobs.Find(id) is { } job && job.Reader == reader && jobs.Delete(id) ? Results.NoContent() : Results.NotFound()));

app.MapPost("/jobs/{id:long}/release", (long id, HttpContext http) => As(http, reader =>
    jobs.Find(id) is { } job && job.Reader == reader && jobs.Release(id) ? Results.Accepted() : Results.NotFound()));

app.MapGet("/jobs/{id:long}/file", (long id, HttpContext http) => As(http, reader =>
    jobs.Find(id) is { } job ? Results.File(job.Path, "application/pdf") : Results.NotFound()));

app.MapPost("/jobs", async (IFormFile file, HttpContext http) =>
{
    if (sessions.ReaderOf(http.Request) is not { } reader) return Results.Unauthorized();
    var folder = jobs.NewFolder();
    await using var body = file.OpenReadStream();
    var names = Path.GetExtension(file.FileName) == ".zip" ? Intake.Unpack(body, folder) : await Intake.Keep(body, file.FileName, folder);
    return Results.Ok(names.Select(name => jobs.Add(reader, name)).ToList());
}).DisableAntiforgery();

app.MapPost("/presets", async (HttpContext http) =>
{
    if (sessions.ReaderOf(http.Request) is not { } reader) return Results.Unauthorized();
    using var text = new StreamReader(http.Request.Body);
    jobs.SetPreset(reader, Presets.Read(await text.ReadToEndAsync()));
    return Results.NoContent();
});

app.MapGet("/report", (string printer, HttpContext http) => As(http, reader =>
    jobs.IsStaff(reader) ? Results.Ok(jobs.Report(printer)) : Results.Forbid()));

app.Run();

record Credentials(string Card, string Pin);
