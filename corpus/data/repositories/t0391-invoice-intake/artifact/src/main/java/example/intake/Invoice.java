package example.intake;

import java.math.BigDecimal;

/** What is booked of an invoice. */
public record Invoice(String number, String supplier, BigDecimal total, String currency) {
    public Invoice {
        if (number.isBlank() || total.signum() < 0) {
            throw new IllegalArgumentException("invoice without number or with a negative total");
        }
    }
}
