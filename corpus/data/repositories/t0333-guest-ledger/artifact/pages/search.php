<?php

use Ledger\Guests;

$word = (string) ($_GET['word'] ?? '');
$rows = $word === '' ? [] : Guests::find($word, (string) ($_GET['town'] ?? ''));
?>
<form>
  <input type="hidden" name="page" value="search">
  <input name="word"> <input name="town"> <button>Find</button>
</form>
<?php if ($word !== ''): ?>
<p><?= count($rows) ?> guests found for <b><?= $word ?></b></p>
<?php endif ?>
<ul>
<?php foreach ($rows as $row): ?>
  <li><?= htmlspecialchars($row['name']) ?>, <?= htmlspecialchars($row['town']) ?></li>
<?php endforeach ?>
</ul>
