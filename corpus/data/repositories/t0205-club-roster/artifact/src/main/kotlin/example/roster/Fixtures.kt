package example.roster

import org.w3c.dom.NodeList
import java.io.File
import javax.xml.XMLConstants
import javax.xml.parsers.DocumentBuilderFactory
import javax.xml.xpath.XPathConstants
import javax.xml.xpath.XPathFactory

data class Fixture(val round: String, val home: String, val away: String)

class Fixtures(file: File) {
    private val document = DocumentBuilderFactory.newInstance().apply {
        setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true)
        setFeature("http://apache.org/xml/features/disallow-doctype-decl", true)
    }.newDocumentBuilder().parse(file)

    private fun list(nodes: NodeList): List<Fixture> = (0 until nodes.length).map { n ->
        val at = nodes.item(n).attributes
        Fixture(at.getNamedItem("round").nodeValue, at.getNamedItem("home").nodeValue, at.getNamedItem("away").nodeValue)
    }

    /** Published matches of one round. */
    fun ofRound(round: String): List<Fixture> {
        val path = XPathFactory.newInstance().newXPath()
        path.setXPathVariableResolver { name -> if (name.localPart == "round") round else null }
        val found = path.evaluate("//match[@round=\$round and @public='yes']", document, XPathConstants.NODESET)
        return list(found as NodeList)
    }

    /** Published matches of one team. */
    fun ofTeam(team: String): List<Fixture> {
        val path = XPathFactory.newInstance().newXPath()
        val query = "//match[@public='yes' and (@home='$team' or @away='$team')]"
        return list(path.evaluate(query, document, XPathConstants.NODESET) as NodeList)
    }
}
