package example.roster

import io.javalin.http.Context
import io.javalin.http.UnauthorizedResponse
import org.eclipse.jetty.server.session.SessionHandler
import org.slf4j.LoggerFactory
import java.security.SecureRandom
import java.util.Base64

fun cookieSessions() = SessionHandler().apply {
    isHttpOnly = true
    sessionCookieConfig.isSecure = true
    maxInactiveInterval = 3600
}

class Sessions(private val directory: Directory) {
    private val log = LoggerFactory.getLogger(Sessions::class.java)
    private val random = SecureRandom()

    fun signIn(ctx: Context) {
        val name = ctx.formParam("name") ?: ""
        val password = ctx.formParam("password") ?: ""
        if (password.isEmpty() || !directory.accepts(name, password)) {
            log.warn("sign-in refused for $name from ${ctx.ip()}")
            throw UnauthorizedResponse()
        }
        start(ctx, name)
    }

    private fun start(ctx: Context, name: String) {
        val token = ByteArray(24).also(random::nextBytes)
        // keeps the page that the visitor came from
        val session = ctx.req().getSession(true)
        session.setAttribute("member", name)
        session.setAttribute("token", Base64.getUrlEncoder().encodeToString(token))
        ctx.redirect("/")
    }
}
