package example.desk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Archives of the supplier. */
final class Delivery {
    private static final int ENTRIES = 200;
    private static final long BYTES = 64L << 20;

    private Delivery() {}

    static List<Path> unpack(Path archive, Path folder) throws IOException {
        Path root = folder.toRealPath();
        List<Path> files = new ArrayList<>();
        long left = BYTES;
        try (var zip = new ZipInputStream(Files.newInputStream(archive))) {
            for (ZipEntry entry; (entry = zip.getNextEntry()) != null; ) {
                Path target = root.resolve(entry.getName()).normalize();
                if (!target.startsWith(root)) throw new IOException("entry leaves the folder");
                if (entry.isDirectory() || !target.toString().endsWith(".xml")) continue;
                if (files.size() == ENTRIES) throw new IOException("too many entries");
                Files.createDirectories(target.getParent());
                left -= copy(zip, target, left);
                files.add(target);
            }
        }
        return files;
    }

    private static long copy(InputStream in, Path target, long left) throws IOException {
        byte[] buffer = new byte[8192];
        long written = 0;
        try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
            for (int n; (n = in.read(buffer)) > 0; written += n) {
                if (written + n > left) throw new IOException("delivery too large");
                out.write(buffer, 0, n);
            }
        }
        return written;
    }

    static void remove(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
        }
    }
}
