// Databases: a plain question to a file of the project is a read; servers and everything that changes rows ask.
import { asks, looks, verbs } from './forms.ts';
import type { ProgramRule } from './types.ts';

export const databaseRules: readonly ProgramRule[] = [
  {
    names: ['sqlite3', 'sqlite', 'duckdb'],
    special: 'sqlite',
    examples: {
      "sqlite3 app.db 'SELECT * FROM users'": 'allow',
      'sqlite3 app.db .tables': 'allow',
      "sqlite3 app.db 'DROP TABLE users'": 'ask',
      "sqlite3 app.db '.shell rm -rf /'": 'deny',
      "sqlite3 app.db '.system rm -rf ~'": 'deny',
      "sqlite3 x '.output /etc/passwd'": 'ask',
      'sqlite3 app.db < schema.sql': 'ask',
      "sqlite3 app.db \"select writefile('/etc/x','y')\"": 'ask',
      'sqlite3 app.db "select load_extension(\'./x.so\')"': 'ask',
      "sqlite3 -cmd '.shell rm -rf /' a.db 'select 1'": 'deny',
      "sqlite3 a.db 'select 1; delete from t'": 'ask',
      "sqlite3 a.db <<'E'\nselect 1;\n.shell rm -rf /\nE": 'deny',
      'sqlite3 --version': 'allow',
    },
  },
  {
    names: [
      'psql',
      'mysql',
      'mariadb',
      'mongosh',
      'mongo',
      'cqlsh',
      'clickhouse-client',
      'sqlcmd',
      'usql',
      'pgcli',
      'mycli',
      'litecli',
    ],
    special: 'server',
    examples: {
      "psql -c 'select 1'": 'ask',
      "psql -c '\\! rm -rf /'": 'deny',
      'psql --version': 'allow',
      "mysql -e 'system rm -rf /'": 'deny',
      "psql <<'E'\n\\! rm -rf /\nE": 'deny',
      'psql -c "COPY t FROM PROGRAM \'rm -rf /\'"': 'deny',
    },
  },
  {
    names: ['redis-cli', 'valkey-cli'],
    special: 'redis',
    examples: {
      'redis-cli ping': 'allow',
      'redis-cli flushall': 'ask',
      'redis-cli -h prod get x': 'ask',
      'redis-cli get x': 'allow',
      'redis-cli config set dir /root/.ssh': 'ask',
    },
  },
  {
    names: ['pg_isready', 'pg_config', 'pg_lsclusters'],
    otherOptions: 'harmless',
    operands: 'data',
    examples: { 'pg_isready -h localhost': 'allow' },
  },
  verbs(['mysqladmin', 'flyway', 'liquibase'], looks('ping status version info validate history'), {
    'mysqladmin ping': 'allow',
    'flyway clean': 'ask',
  }),
  verbs(
    ['prisma', 'drizzle-kit', 'sequelize', 'knex', 'typeorm', 'dbmate', 'goose', 'atlas', 'diesel'],
    looks('generate validate format version status check lint help'),
    { 'prisma generate': 'allow', 'prisma db push': 'ask', 'npx prisma migrate reset': 'ask' },
  ),
  asks(
    'copies, changes or drops databases',
    'pg_dump pg_dumpall pg_restore mysqldump mariadb-dump mongodump mongorestore mongoexport mongoimport dropdb createdb dropuser createuser initdb pg_ctl pg_ctlcluster pg_basebackup vacuumdb reindexdb mysqlimport mysqld mysqld_safe mongod redis-server etcdctl influx cypher-shell sqlplus impdp expdp cockroach clickhouse',
    { 'dropdb x': 'ask', 'pg_dump x': 'ask' },
  ),
];
