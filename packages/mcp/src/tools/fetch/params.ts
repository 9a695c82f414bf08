// The parameters of this tool, each described once.
import { z } from 'zod';

export const url = z.string().min(1);
export const headers = z.record(z.string(), z.string()).optional();
export const body = z.string().optional();
export const cursor = z.string().optional().describe('of the page before');
export const payment = z.string().optional().describe('x402 payment: token or JSON');
export const allHeaders = z.boolean().optional().describe('show every response header');
export const maxBytes = z.int().min(1).max(4_294_967_296).optional();
export const output = z.string().describe('absolute path');
export const overwrite = z.boolean().optional();

/** Total time of one request in milliseconds. */
export const timeout = (fallback: number): z.ZodDefault<z.ZodInt> =>
  z.int().min(1).max(3_600_000).default(fallback).describe('ms');

export const MIB = 1024 * 1024;
