package example.roster

import kotlin.test.Test
import kotlin.test.assertEquals

class AuditTest {
    @Test
    fun `line breaks do not reach the log`() = assertEquals("a?b", Audit.flat("a\nb"))
}
