package example.desk;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Base64;

public final class Main {
    private Main() {}

    private static String need(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) throw new IllegalStateException(name + " is not set");
        return value;
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            System.err.println("usage: loan-desk DELIVERY");
            System.exit(2);
        }
        Sealer sealer = new Sealer(Base64.getDecoder().decode(need("DESK_KEY")));
        Path folder = Files.createTempDirectory("delivery");
        try (var db = DriverManager.getConnection(need("DESK_DB"))) {
            Loans loans = new Loans(db, sealer);
            for (Path file : Delivery.unpack(Path.of(args[0]), folder)) {
                for (Title title : Catalogue.read(file)) loans.add(title);
            }
        } finally {
            Delivery.remove(folder);
        }
    }
}
