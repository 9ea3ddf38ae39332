<?php
require __DIR__ . '/boot.php';

if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $ok = $session->signIn((string) ($_POST['number'] ?? ''), (string) ($_POST['pin'] ?? ''));
    header('Location: ' . ($ok ? '/index.php' : '/sign-in.php'));
    exit;
}
?>
<!doctype html>
<title>Sign in</title>
<form method="post">
  <input name="number" placeholder="Number">
  <input name="pin" type="password" placeholder="PIN">
  <button>Sign in</button>
</form>
