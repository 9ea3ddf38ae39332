package example.roster

import org.slf4j.LoggerFactory

/** What the board changed. */
object Audit {
    private val log = LoggerFactory.getLogger("audit")

    fun flat(text: String) = text.replace(Regex("[\\p{Cntrl}]"), "?").take(200)

    fun note(by: String, what: String) = log.info("{} {}", flat(by), flat(what))
}
