<?php
declare(strict_types=1);

require __DIR__ . '/../vendor/autoload.php';

set_exception_handler(function (Throwable $error): void {
    http_response_code(500);
    error_log((string) $error);
    echo '<h1>Something went wrong</h1><pre>' . htmlspecialchars((string) $error) . '</pre>';
});

$db = new PDO('sqlite:' . getenv('TILL_DB'), options: [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
$session = new Till\Session($db);
$coupons = new Till\Coupons($db, (string) getenv('TILL_SECRET'));
