package example.roster

import io.javalin.Javalin
import io.javalin.http.Context
import io.javalin.http.ForbiddenResponse
import io.javalin.http.UnauthorizedResponse
import java.io.File
import java.security.MessageDigest

private fun need(name: String) = System.getenv(name) ?: error("$name is not set")

private fun Context.member(): String = sessionAttribute<String>("member") ?: throw UnauthorizedResponse()

private fun Context.checkToken() {
    val want = sessionAttribute<String>("token") ?: throw ForbiddenResponse()
    val got = formParam("token") ?: ""
    if (!MessageDigest.isEqual(want.toByteArray(), got.toByteArray())) throw ForbiddenResponse()
}

private fun Context.requireBoard(directory: Directory): String {
    val name = member()
    if (!directory.isBoard(name)) throw ForbiddenResponse()
    return name
}

fun main() {
    val directory = Directory(need("LDAP_URL"), need("LDAP_BIND_DN"), need("LDAP_BIND_PASSWORD"))
    val fixtures = Fixtures(File(need("FIXTURES")))
    val sessions = Sessions(directory)
    val app = Javalin.create { config -> config.jetty.modifyServletContextHandler { it.sessionHandler = cookieSessions() } }

    app.post("/sign-in", sessions::signIn)
    app.get("/members") { ctx ->
        ctx.member()
        ctx.json(directory.search(ctx.queryParam("q") ?: ""))
    }
    app.get("/fixtures") { ctx -> ctx.json(fixtures.ofTeam(ctx.queryParam("team") ?: "")) }
    app.get("/fixtures/{round}") { ctx -> ctx.json(fixtures.ofRound(ctx.pathParam("round"))) }

    app.post("/members/{name}/team") { ctx ->
        val by = ctx.requireBoard(directory)
        ctx.checkToken()
        directory.setTeam(ctx.pathParam("name"), ctx.formParam("team") ?: "")
        Audit.note(by, "team of ${ctx.pathParam("name")}")
    }
    app.post("/members/{name}/remove") { ctx ->
        val by = ctx.requireBoard(directory)
        directory.remove(ctx.pathParam("name"))
        Audit.note(by, "removed ${ctx.pathParam("name")}")
    }
    app.post("/sign-out") { ctx ->
        ctx.checkToken()
        ctx.req().session.invalidate()
    }
    app.start("127.0.0.1", 7070)
}
