package example.desk;

/** One title of a delivery. */
public record Title(String isbn, String name, int copies) {
    public Title {
        if (!isbn.matches("[0-9]{9,12}[0-9X]")) throw new IllegalArgumentException("bad ISBN");
        if (copies < 0 || copies > 1000) throw new IllegalArgumentException("bad number of copies");
    }
}
