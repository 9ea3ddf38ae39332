<?php

declare(strict_types=1);

namespace Ledger;

final class Accounts
{
    public static function signIn(string $name, string $password): bool
    {
        $s = Db::get()->prepare('SELECT password FROM account WHERE name = ?');
        $s->execute([$name]);
        $stored = $s->fetchColumn();
        if ($stored === false) {
            return false;
        }
        $ok = hash_equals($stored, self::digest($password));
        if ($ok) {
            session_regenerate_id(true);
            $_SESSION['account'] = $name;
        }
        return $ok;
    }

    public static function required(): void
    {
        if (!isset($_SESSION['account'])) {
            header('Location: /login.php');
            exit;
        }
    }

    public static function create(string $name, string $password): void
    {
        $s = Db::get()->prepare('INSERT INTO account (name, password) VALUES (?, ?)');
        $s->execute([$name, self::digest($password)]);
    }

    private static function digest(string $password): string
    {
        return md5($password);
    }
}
