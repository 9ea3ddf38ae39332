<?php

declare(strict_types=1);

require __DIR__ . '/../src/Db.php';
require __DIR__ . '/../src/Accounts.php';

session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax', 'cookie_secure' => true]);

$name = (string) ($_POST['name'] ?? '');
if ($name !== '' && Ledger\Accounts::signIn($name, (string) ($_POST['password'] ?? ''))) {
    header('Location: /');
    exit;
}
?>
<!doctype html>
<meta charset="utf-8">
<title>Sign in</title>
<?php if ($name !== ''): ?><p>No account <?= htmlspecialchars($name) ?> with that password.</p><?php endif ?>
<form method="post">
  <input name="name" value="<?= htmlspecialchars($name) ?>">
  <input name="password" type="password">
  <button>Sign in</button>
</form>
