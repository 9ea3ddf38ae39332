package example.desk;

import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Titles and loans in the database. */
final class Loans {
    private static final Map<String, String> ORDERS = Map.of("due", "due ASC", "name", "title ASC");

    private final Connection db;
    private final Sealer sealer;

    Loans(Connection db, Sealer sealer) {
        this.db = db;
        this.sealer = sealer;
    }

    void add(Title title) throws SQLException {
        try (var insert = db.prepareStatement("INSERT INTO title (isbn, name, copies) VALUES (?, ?, ?)")) {
            insert.setString(1, title.isbn());
            insert.setString(2, title.name());
            insert.setInt(3, title.copies());
            insert.executeUpdate();
        }
    }

    List<String> ofReader(long reader, String order) throws SQLException {
        String by = ORDERS.getOrDefault(order, "due ASC");
        try (var query = db.prepareStatement("SELECT title FROM loan WHERE reader = ? ORDER BY " + by)) {
            query.setLong(1, reader);
            List<String> found = new ArrayList<>();
            try (var rows = query.executeQuery()) {
                while (rows.next()) found.add(rows.getString(1));
            }
            return found;
        }
    }

    /** Takes a copy off the shelf; false when none is left. */
    boolean lend(String isbn, long reader) throws SQLException {
        try (var take = db.prepareStatement("UPDATE title SET copies = copies - 1 WHERE isbn = ? AND copies > 0")) {
            take.setString(1, isbn);
            if (take.executeUpdate() != 1) return false;
        }
        try (var loan = db.prepareStatement("INSERT INTO loan (title, reader, due) VALUES (?, ?, CURRENT_DATE + 28)")) {
            loan.setString(1, isbn);
            loan.setLong(2, reader);
            return loan.executeUpdate() == 1;
        }
    }

    void setAddress(long reader, String address) throws SQLException, GeneralSecurityException {
        try (var update = db.prepareStatement("UPDATE reader SET address = ? WHERE id = ?")) {
            update.setBytes(1, sealer.seal(address));
            update.setLong(2, reader);
            update.executeUpdate();
        }
    }
}
