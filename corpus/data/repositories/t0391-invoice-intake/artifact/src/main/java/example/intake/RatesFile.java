package example.intake;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** Exchange rates: <rate currency="SEK" value="11.42"/>. */
public final class RatesFile {
    public Map<String, BigDecimal> read(Path file) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setXIncludeAware(false);
            factory.setExpandEntityReferences(false);
            var nodes = factory.newDocumentBuilder().parse(file.toFile()).getElementsByTagName("rate");
            Map<String, BigDecimal> rates = new HashMap<>();
            for (int i = 0; i < nodes.getLength(); i++) {
                Element e = (Element) nodes.item(i);
                rates.put(e.getAttribute("currency"), new BigDecimal(e.getAttribute("value")));
            }
            return rates;
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("rates: " + e.getMessage(), e);
        }
    }
}
