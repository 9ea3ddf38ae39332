package example.desk;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES-256-GCM; a sealed value is nonce and ciphertext. */
final class Sealer {
    private static final int NONCE = 12;

    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    Sealer(byte[] key) {
        if (key.length != 32) throw new IllegalArgumentException("the key has to be 32 bytes");
        this.key = new SecretKeySpec(key, "AES");
    }

    byte[] seal(String text) throws GeneralSecurityException {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
        byte[] body = cipher.doFinal(text.getBytes(StandardCharsets.UTF_8));
        return ByteBuffer.allocate(NONCE + body.length).put(nonce).put(body).array();
    }

    String open(byte[] sealed) throws GeneralSecurityException {
        if (sealed.length <= NONCE) throw new GeneralSecurityException("sealed value too short");
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, sealed, 0, NONCE));
        return new String(cipher.doFinal(sealed, NONCE, sealed.length - NONCE), StandardCharsets.UTF_8);
    }
}
