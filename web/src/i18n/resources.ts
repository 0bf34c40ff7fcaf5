// Generated from locales/en by `npm run locales -- --write`. Do not edit.
import type account from './locales/en/account.json';
import type auditLog from './locales/en/audit-log.json';
import type auth from './locales/en/auth.json';
import type billing from './locales/en/billing.json';
import type board from './locales/en/board.json';
import type cards from './locales/en/cards.json';
import type catalog from './locales/en/catalog.json';
import type common from './locales/en/common.json';
import type dashboard from './locales/en/dashboard.json';
import type faq from './locales/en/faq.json';
import type find from './locales/en/find.json';
import type guests from './locales/en/guests.json';
import type history from './locales/en/history.json';
import type houses from './locales/en/houses.json';
import type images from './locales/en/images.json';
import type insurers from './locales/en/insurers.json';
import type legal from './locales/en/legal.json';
import type messages from './locales/en/messages.json';
import type organizations from './locales/en/organizations.json';
import type reservations from './locales/en/reservations.json';
import type server from './locales/en/server.json';
import type shell from './locales/en/shell.json';
import type siteForm from './locales/en/site-form.json';
import type siteInfo from './locales/en/site-info.json';
import type sites from './locales/en/sites.json';
import type tour from './locales/en/tour.json';
import type users from './locales/en/users.json';

/** The English texts are the type of all texts: an unknown key does not compile. */
export interface Resources {
  account: typeof account;
  'audit-log': typeof auditLog;
  auth: typeof auth;
  billing: typeof billing;
  board: typeof board;
  cards: typeof cards;
  catalog: typeof catalog;
  common: typeof common;
  dashboard: typeof dashboard;
  faq: typeof faq;
  find: typeof find;
  guests: typeof guests;
  history: typeof history;
  houses: typeof houses;
  images: typeof images;
  insurers: typeof insurers;
  legal: typeof legal;
  messages: typeof messages;
  organizations: typeof organizations;
  reservations: typeof reservations;
  server: typeof server;
  shell: typeof shell;
  'site-form': typeof siteForm;
  'site-info': typeof siteInfo;
  sites: typeof sites;
  tour: typeof tour;
  users: typeof users;
}
