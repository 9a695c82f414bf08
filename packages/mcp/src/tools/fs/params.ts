// Parameters that several actions share; what is described here is published once.
import { z } from 'zod';

export const uri = z.string().describe('absolute path');
export const baseHash = z.string().describe('hash from read');
export const cursor = z.string().optional().describe('from paging');
