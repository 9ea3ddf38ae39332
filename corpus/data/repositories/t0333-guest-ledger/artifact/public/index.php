<?php

declare(strict_types=1);

use Ledger\Accounts;

spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/../src/' . basename(str_replace('\\', '/', $class)) . '.php';
});
session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax', 'cookie_secure' => true]);
Accounts::required();

$page = $_GET['page'] ?? 'month';
?>
<!doctype html>
<meta charset="utf-8">
<title>Guest ledger</title>
<nav><a href="?page=month">Month</a> <a href="?page=search">Search</a> <a href="?page=restore">Restore</a></nav>
<main>
<?php include __DIR__ . '/../pages/' . $page . '.php';
?>
</main>
