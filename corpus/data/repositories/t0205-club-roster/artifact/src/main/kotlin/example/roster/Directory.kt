package example.roster

import java.util.Hashtable
import javax.naming.AuthenticationException
import javax.naming.Context
import javax.naming.directory.BasicAttribute
import javax.naming.directory.DirContext
import javax.naming.directory.InitialDirContext
import javax.naming.directory.ModificationItem
import javax.naming.directory.SearchControls
import javax.naming.ldap.LdapName
import javax.naming.ldap.Rdn

data class Member(val name: String, val team: String)

class Directory(private val url: String, private val dn: String, private val password: String) {
    private val base = LdapName("ou=members,dc=club,dc=example")

    private fun <T> bound(dn: String, password: String, use: (DirContext) -> T): T {
        val env = Hashtable<String, String>()
        env[Context.INITIAL_CONTEXT_FACTORY] = "com.sun.jndi.ldap.LdapCtxFactory"
        env[Context.PROVIDER_URL] = url
        env[Context.SECURITY_PRINCIPAL] = dn
        env[Context.SECURITY_CREDENTIALS] = password
        val context = InitialDirContext(env)
        try {
            return use(context)
        } finally {
            context.close()
        }
    }

    /** The entry of a member; Rdn escapes the name. */
    private fun entry(name: String) = (base.clone() as LdapName).add(Rdn("uid", name)) as LdapName

    fun accepts(name: String, secret: String): Boolean =
        try {
            bound(entry(name).toString(), secret) { true }
        } catch (e: AuthenticationException) {
            false
        }

    fun search(text: String): List<Member> = bound(dn, password) { context ->
        val controls = SearchControls().apply { countLimit = 50 }
        val filter = "(&(objectClass=person)(|(cn=*$text*)(team=$text)))"
        context.search(base, filter, controls).toList().map {
            Member(it.attributes["cn"].get().toString(), it.attributes["team"]?.get()?.toString() ?: "")
        }
    }

    fun isBoard(name: String): Boolean = bound(dn, password) { context ->
        val filter = "(&(objectClass=person)(uid={0})(role=board))"
        context.search(base, filter, arrayOf(name), SearchControls()).hasMore()
    }

    fun setTeam(name: String, team: String) = bound(dn, password) { context ->
        val item = ModificationItem(DirContext.REPLACE_ATTRIBUTE, BasicAttribute("team", team))
        context.modifyAttributes(entry(name), arrayOf(item))
    }

    fun remove(name: String) = bound(dn, password) { it.destroySubcontext(entry(name)) }
}
