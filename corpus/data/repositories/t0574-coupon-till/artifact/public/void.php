<?php
require __DIR__ . '/boot.php';

$session->need();
$coupons->void((string) ($_GET['code'] ?? ''), $session->number());
header('Location: /index.php');
