package example.intake;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/** Takes acknowledgements of the booking system, one a connection. */
public final class QueueListener {
    /** One acknowledgement. */
    public record Ack(String number, boolean booked) implements Serializable {}

    private final int port;
    private final Consumer<Ack> sink;

    public QueueListener(int port, Consumer<Ack> sink) {
        this.port = port;
        this.sink = sink;
    }

    public void run() throws IOException {
        try (ServerSocket server = new ServerSocket(port)) {
            while (true) {
                try (Socket socket = server.accept()) {
                    socket.setSoTimeout(5_000);
                    ObjectInputStream in = new ObjectInputStream(socket.getInputStream());
                    sink.accept((Ack) in.readObject());
                } catch (ClassNotFoundException | ClassCastException e) {
                    System.err.println("unknown message: " + e.getMessage());
                }
            }
        }
    }
}
