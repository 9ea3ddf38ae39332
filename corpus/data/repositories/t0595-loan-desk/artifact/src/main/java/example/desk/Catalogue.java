package example.desk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Catalogue files. */
final class Catalogue {
    private Catalogue() {}

    private static DocumentBuilder builder() throws ParserConfigurationException {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        factory.setXIncludeAware(false);
        factory.setExpandEntityReferences(false);
        return factory.newDocumentBuilder();
    }

    static List<Title> read(Path file) throws IOException {
        try {
            NodeList nodes = builder().parse(file.toFile()).getElementsByTagName("title");
            List<Title> found = new ArrayList<>();
            for (int i = 0; i < nodes.getLength(); i++) {
                Element e = (Element) nodes.item(i);
                found.add(new Title(e.getAttribute("isbn"), e.getTextContent().strip(), Integer.parseInt(e.getAttribute("copies"))));
            }
            return found;
        } catch (SAXException | ParserConfigurationException e) {
            throw new IOException("unreadable catalogue", e);
        }
    }

    /** Shelf mark of an ISBN in the shelf plan, or an empty text. */
    static String shelf(Document plan, String isbn) throws XPathExpressionException {
        var path = XPathFactory.newInstance().newXPath();
        path.setXPathVariableResolver(name -> name.getLocalPart().equals("isbn") ? isbn : null);
        return (String) path.evaluate("string(//shelf[book/@isbn=$isbn]/@mark)", plan, XPathConstants.STRING);
    }
}
