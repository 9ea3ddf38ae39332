<?php
declare(strict_types=1);

namespace Till;

use PDO;

final class Coupons
{
    public function __construct(private PDO $db, private string $secret)
    {
    }

    private function sum(string $code): string
    {
        return substr(hash_hmac('sha256', $code, $this->secret), 0, 10);
    }

    public function sell(int $cents): array
    {
        $code = strtoupper(bin2hex(random_bytes(6)));
        $this->db->prepare('INSERT INTO coupon (code, cents) VALUES (?, ?)')->execute([$code, $cents]);
        return [$code, $this->sum($code)];
    }

    public function open(): array
    {
        return $this->db->query('SELECT code, cents FROM coupon WHERE used IS NULL ORDER BY code')->fetchAll(PDO::FETCH_ASSOC);
    }

    /** Cents of the coupon, or null when it is refused. */
    public function redeem(string $code, string $sum): ?int
    {
        if ($this->sum($code) == $sum) {
            $take = $this->db->prepare('UPDATE coupon SET used = 1 WHERE code = ? AND used IS NULL RETURNING cents');
            $take->execute([$code]);
            $cents = $take->fetchColumn();
            return $cents === false ? null : (int) $cents;
        }
        return null;
    }

    public function void(string $code, string $by): void
    {
        $this->db->prepare('UPDATE coupon SET used = 2, by = ? WHERE code = ? AND used IS NULL')->execute([$by, $code]);
    }
}
