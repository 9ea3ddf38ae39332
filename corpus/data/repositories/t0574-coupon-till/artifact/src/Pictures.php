<?php
declare(strict_types=1);

namespace Till;

use finfo;
use RuntimeException;

final class Pictures
{
    private const KINDS = ['image/png' => 'png', 'image/jpeg' => 'jpg'];

    public function __construct(private string $folder)
    {
    }

    /** Stores a photo of the stall; returns its file name. */
    public function photo(array $upload): string
    {
        $kind = (new finfo(FILEINFO_MIME_TYPE))->file($upload['tmp_name']);
        $end = self::KINDS[$kind] ?? throw new RuntimeException('neither PNG nor JPEG');
        return $this->keep($upload, $end);
    }

    /** Stores the logo, vector files included. */
    public function logo(array $upload): string
    {
        $end = pathinfo($upload['name'], PATHINFO_EXTENSION);
        return $this->keep($upload, $end);
    }

    private function keep(array $upload, string $end): string
    {
        $name = bin2hex(random_bytes(8)) . '.' . $end;
        if (!move_uploaded_file($upload['tmp_name'], $this->folder . '/' . $name)) {
            throw new RuntimeException('the upload cannot be stored');
        }
        return $name;
    }
}
