<?php
require __DIR__ . '/boot.php';

$session->need();
$session->checkToken();

$manager = $session->isManager();
$name = $colour = '';
extract($_POST);
if (!$manager) {
    http_response_code(403);
    exit;
}
if (preg_match('/^#[0-9a-f]{6}$/D', (string) $colour) !== 1) {
    http_response_code(400);
    exit;
}
$save = $db->prepare('UPDATE stall SET name = ?, colour = ? WHERE id = 1');
$save->execute([(string) $name, (string) $colour]);
if (isset($_FILES['logo'])) {
    $file = (new Till\Pictures(__DIR__ . '/logos'))->logo($_FILES['logo']);
    $db->prepare('UPDATE stall SET logo = ? WHERE id = 1')->execute([$file]);
}
header('Location: /index.php');
