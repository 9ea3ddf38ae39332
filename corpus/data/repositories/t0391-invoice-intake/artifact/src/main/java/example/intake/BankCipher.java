package example.intake;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts bank account numbers at rest; the key comes from the key store. */
public final class BankCipher {
    private final SecretKey key;

    public BankCipher(byte[] keyBytes) {
        this.key = new SecretKeySpec(keyBytes, "DES");
    }

    public byte[] seal(String iban) {
        try {
            Cipher cipher = Cipher.getInstance("DES/ECB/PKCS5Padding");
            cipher.init(Cipher.ENCRYPT_MODE, key);
            return cipher.doFinal(iban.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot encrypt", e);
        }
    }
}
