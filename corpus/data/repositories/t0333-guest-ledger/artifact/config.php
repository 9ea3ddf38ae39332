<?php

declare(strict_types=1);

return [
    'dsn' => getenv('LEDGER_DSN') ?: 'mysql:host=localhost;dbname=ledger;charset=utf8mb4',
    'user' => 'ledger',
    'password' => 'Tin-Harbour_8832',
    'per_page' => 50,
];
