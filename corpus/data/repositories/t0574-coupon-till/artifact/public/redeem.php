<?php
require __DIR__ . '/boot.php';

$session->need();
$session->checkToken();
$cents = $coupons->redeem((string) ($_POST['code'] ?? ''), (string) ($_POST['sum'] ?? ''));
header('Content-Type: text/plain');
echo $cents === null ? 'refused' : 'worth ' . number_format($cents / 100, 2);
