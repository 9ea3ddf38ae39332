package example.intake;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Stored invoices. */
public final class Ledger {
    private final DataSource source;
    private final BankCipher cipher;

    public Ledger(DataSource source, BankCipher cipher) {
        this.source = source;
        this.cipher = cipher;
    }

    public void store(Invoice invoice, String iban) throws SQLException {
        String sql = "INSERT INTO invoice (number, supplier, total, currency, iban) VALUES (?, ?, ?, ?, ?)";
        try (Connection c = source.getConnection(); PreparedStatement s = c.prepareStatement(sql)) {
            s.setString(1, invoice.number());
            s.setString(2, invoice.supplier());
            s.setBigDecimal(3, invoice.total());
            s.setString(4, invoice.currency());
            s.setBytes(5, cipher.seal(iban));
            s.executeUpdate();
        }
    }

    public Optional<String> supplierOf(String number) throws SQLException {
        String sql = "SELECT supplier FROM invoice WHERE number = ?";
        try (Connection c = source.getConnection(); PreparedStatement s = c.prepareStatement(sql)) {
            s.setString(1, number);
            try (var rows = s.executeQuery()) {
                return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
            }
        }
    }
}
