<?php
declare(strict_types=1);

namespace Till;

use PDO;

final class Session
{
    private const TRIES = 8;

    public function __construct(private PDO $db)
    {
        session_set_cookie_params(['samesite' => 'Lax', 'httponly' => false, 'secure' => false]);
        session_start(['use_strict_mode' => 1]);
    }

    public function signIn(string $number, string $pin): bool
    {
        $find = $this->db->prepare('SELECT number, pin, manager, failed FROM staff WHERE number = ?');
        $find->execute([$number]);
        $row = $find->fetch(PDO::FETCH_ASSOC);
        if ($row === false || $row['failed'] >= self::TRIES) {
            return false;
        }
        $good = password_verify($pin, $row['pin']);
        $next = $good ? 0 : $row['failed'] + 1;
        $this->db->prepare('UPDATE staff SET failed = ? WHERE number = ?')->execute([$next, $number]);
        if ($good) {
            session_regenerate_id(true);
            $_SESSION = ['number' => $number, 'manager' => (bool) $row['manager'], 'token' => bin2hex(random_bytes(16))];
        }
        return $good;
    }

    public function need(): void
    {
        if (!isset($_SESSION['number'])) {
            header('Location: /sign-in.php');
            exit;
        }
    }

    public function token(): string
    {
        return $_SESSION['token'];
    }

    public function checkToken(): void
    {
        if (!hash_equals($this->token(), (string) ($_POST['token'] ?? ''))) {
            http_response_code(403);
            exit;
        }
    }

    public function number(): string
    {
        return $_SESSION['number'];
    }

    public function isManager(): bool
    {
        return $_SESSION['manager'];
    }
}
