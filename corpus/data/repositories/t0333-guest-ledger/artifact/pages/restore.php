<?php

use Ledger\Guests;

// Takes what the export of the old version wrote: a serialized list of rows.
$added = 0;
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $rows = unserialize(base64_decode($_POST['dump'] ?? ''));
    foreach (is_array($rows) ? $rows : [] as $row) {
        Guests::add((string) $row['name'], (string) $row['town'], (string) $row['arrived'], (int) $row['nights']);
        $added++;
    }
}
?>
<form method="post"><textarea name="dump"></textarea><button>Restore</button></form>
<p><?= $added ?> guests restored</p>
