/**
 * The format of the rows that this release writes; 1.0.0 wrote 1. It rises with each migration (infra/operate/migrate/migrations.ts), and
 * whenever the release before cannot read what this one writes. A field that readers may find absent is no new format.
 */
export const rowFormat = 2
