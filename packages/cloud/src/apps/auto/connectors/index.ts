// The connectors this program ships, and where their services are.
import type { Connector } from '../types.ts';
import { core } from './core.ts';
import { discord } from './discord.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import { slack } from './slack.ts';
import { x } from './x.ts';

/** Base URLs of the services; another one is for a self-hosted service, a proxy, or a test. */
export interface Bases {
  readonly github: string;
  readonly slack: string;
  readonly discord: string;
  readonly googleSheets: string;
  readonly googleDrive: string;
  readonly x: string;
}

const BASES: Bases = {
  github: 'https://api.github.com',
  slack: 'https://slack.com/api',
  discord: 'https://discord.com/api/v10',
  googleSheets: 'https://sheets.googleapis.com',
  googleDrive: 'https://www.googleapis.com',
  x: 'https://api.x.com',
};

export function shippedConnectors(bases: Partial<Bases> = {}): readonly Connector[] {
  const at = { ...BASES, ...bases };
  return [
    core,
    discord(at.discord),
    github(at.github),
    google({ sheets: at.googleSheets, drive: at.googleDrive }),
    slack(at.slack),
    x(at.x),
  ];
}
