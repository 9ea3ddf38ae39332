<?php

use Ledger\Guests;

$month = (string) ($_GET['month'] ?? date('Y-m'));
$rows = Guests::inMonth($month, (string) ($_GET['order'] ?? 'arrived'));
?>
<h1>Guests in <?= htmlspecialchars($month) ?></h1>
<table>
<?php foreach ($rows as $row): ?>
  <tr>
    <td><?= htmlspecialchars($row['name']) ?></td>
    <td><?= htmlspecialchars($row['town']) ?></td>
    <td><?= htmlspecialchars($row['arrived']) ?></td>
    <td><?= (int) $row['nights'] ?></td>
  </tr>
<?php endforeach ?>
</table>
