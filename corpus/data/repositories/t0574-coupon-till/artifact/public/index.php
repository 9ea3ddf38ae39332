<?php
require __DIR__ . '/boot.php';

$session->need();
?>
<!doctype html>
<title>Coupons</title>
<table>
<?php foreach ($coupons->open() as $row): ?>
  <tr>
    <td><?= htmlspecialchars($row['code']) ?></td>
    <td><?= number_format($row['cents'] / 100, 2) ?></td>
    <td><a href="/void.php?code=<?= urlencode($row['code']) ?>">void</a></td>
  </tr>
<?php endforeach ?>
</table>
<form method="post" action="/redeem.php">
  <input type="hidden" name="token" value="<?= htmlspecialchars($session->token()) ?>">
  <input name="code"><input name="sum"><button>Redeem</button>
</form>
