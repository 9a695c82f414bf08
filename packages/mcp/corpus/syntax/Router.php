<!doctype html>
<p>dispatch is no code here</p>
<?php

declare(strict_types=1);

namespace Example\Http;

use Example\Core\{Kernel, Events as Bus};
use Psr\Log\LoggerInterface;
use function Example\Core\now;

require_once __DIR__ . '/helpers.php';

const LIMIT = 10;
define('ROUTER_DEBUG', false);

/** dispatch in a comment */
#[Attribute]
abstract class Router extends Kernel implements Handler, \Countable
{
    use Emits, Logs;

    public const METHODS = ['GET', 'POST'];
    private ?string $prefix = null, $suffix;
    protected static int $count = 0;

    public function __construct(private LoggerInterface $logger, string $prefix = '')
    {
        $this->prefix = $prefix;
    }

    public static function make(int ...$codes): static
    {
        [$first, $second] = $codes;
        foreach ($codes as $at => $code) {
            static $seen = [];
            $seen[$at] = "dispatch {$code} $first";
        }
        return new static(...$seen);
    }

    abstract protected function handle(Request $request): ?Response;

    public function dispatch(Request $request): Response
    {
        try {
            $next = fn (Request $inner) => $this->handle($inner);
            return $next($request) ?? self::make()->dispatch($request);
        } catch (NotFound | Denied $problem) {
            $this->logger->error('dispatch failed');
            throw $problem;
        }
    }
}

interface Handler extends Middleware { }

trait Emits { public function emit(string $event): void { } }

enum Status: string implements \JsonSerializable
{
    case Ok = 'ok';
    case Gone = 'gone';
    public function jsonSerialize(): string { return $this->value; }
}

function route(string $path, callable &$then): array
{
    global $router;
    return [$path, $then];
}

$router = new class extends Router { protected function handle(Request $request): ?Response { return null; } };
?>
