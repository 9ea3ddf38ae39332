package example.intake;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

/** Reads the few fields of a UBL invoice that are booked. */
public final class InvoiceParser {
    public Invoice parse(InputStream in) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            Document document = factory.newDocumentBuilder().parse(in);
            return new Invoice(
                text(document, "ID"),
                text(document, "Name"),
                new BigDecimal(text(document, "PayableAmount")),
                text(document, "DocumentCurrencyCode"));
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("not an invoice: " + e.getMessage(), e);
        }
    }

    private static String text(Document document, String name) throws IOException {
        var nodes = document.getElementsByTagNameNS("*", name);
        if (nodes.getLength() == 0) {
            throw new IOException("no element " + name);
        }
        return nodes.item(0).getTextContent().trim();
    }
}
