package example.intake;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The folder into which deliveries are unpacked. */
public final class Inbox {
    private static final long LARGEST = 20L * 1024 * 1024;
    private final Path folder;

    public Inbox(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    public List<Path> unpack(InputStream delivery) throws IOException {
        List<Path> written = new ArrayList<>();
        try (ZipInputStream zip = new ZipInputStream(delivery)) {
            ZipEntry entry;
            while ((entry = zip.getNextEntry()) != null) {
                if (entry.isDirectory() || !entry.getName().endsWith(".xml")) {
                    continue;
                }
                Path target = folder.resolve(entry.getName());
                Files.createDirectories(target.getParent());
                Files.copy(bounded(zip), target, StandardCopyOption.REPLACE_EXISTING);
                written.add(target);
            }
        }
        return written;
    }

    private static InputStream bounded(InputStream in) {
        return new InputStream() {
            private long left = LARGEST;

            @Override
            public int read() throws IOException {
                if (left-- <= 0) {
                    throw new IOException("entry is larger than " + LARGEST + " bytes");
                }
                return in.read();
            }
        };
    }

    /** Opens one unpacked file by the name that a clerk typed. */
    public InputStream open(String name) throws IOException {
        Path file = folder.resolve(name).normalize();
        if (!file.startsWith(folder)) {
            throw new IOException("outside of the inbox: " + name);
        }
        return Files.newInputStream(file);
    }
}
