<?php

declare(strict_types=1);

namespace Ledger;

final class Guests
{
    private const ORDER = ['name' => 'name', 'arrived' => 'arrived DESC', 'nights' => 'nights DESC'];

    public static function add(string $name, string $town, string $arrived, int $nights): int
    {
        $s = Db::get()->prepare('INSERT INTO guest (name, town, arrived, nights) VALUES (?, ?, ?, ?)');
        $s->execute([$name, $town, $arrived, $nights]);
        return (int) Db::get()->lastInsertId();
    }

    /** @return list<array<string, mixed>> */
    public static function inMonth(string $month, string $order): array
    {
        // The order is one of our own strings; only its name comes from outside.
        $by = self::ORDER[$order] ?? self::ORDER['arrived'];
        $s = Db::get()->prepare("SELECT * FROM guest WHERE DATE_FORMAT(arrived, '%Y-%m') = ? ORDER BY $by");
        $s->execute([$month]);
        return $s->fetchAll();
    }

    /** @return list<array<string, mixed>> */
    public static function find(string $word, string $town): array
    {
        $sql = 'SELECT * FROM guest WHERE name LIKE ' . Db::get()->quote("%$word%");
        if ($town !== '') {
            $sql .= " AND town = '" . $town . "'";
        }
        return Db::get()->query($sql . ' LIMIT 200')->fetchAll();
    }
}
