import type { KnipConfig } from 'knip'

/**
 * What nothing uses: `knip` counts tests as users, `knip --production` does not, so it finds code that only tests call.
 * There a rule that its own file uses may be exported for its test.
 */
const config: KnipConfig = {
  // `!` marks what belongs to the product
  entry: [
    'functions/**/{handlers,daily-check,daily-refresh,daily-sync,manual-sync,document-parser,extract-child,index-child,watch-thread,query-child,tool-box}.ts!',
    'functions/sign-in/*.ts!',
    'infra/aws/app.ts!',
    'infra/local/{main,dev,invoke,setup}.ts!',
    'infra/operate/{admin,backup,bootstrap,cost,deploy,doctor,erase,invite,job,migrate,outputs,policy,restore,secret,smoke,usage,vault}.ts!',
    'web/{src/main.tsx,diagram/{main,chart,chart-worker}.ts}!',
    'web/vite.config.ts!',
    // the build imports them: web/translation/plugin.ts
    'web/src/lib/text/{translate,translate-rich,translate-code}.ts!',
    'test/{bench,conformance,judge,mutation,soak}/*.ts',
    'test/emulators/*-process.ts',
    'test/infra/record-release.ts',
    'test/support/{progress-reporter,pack-pdf-data}.ts',
    '**/*.test.{ts,tsx}',
  ],
  project: [
    '{shared,functions,infra,web}/**/*.{ts,tsx,css}!',
    'test/**/*.{ts,tsx}',
    '!**/*.test.{ts,tsx}!',
    '!test/**!',
    // for tests alone
    '!functions/providers/*/{cases,contract,contracts}.ts!',
  ],
  ignoreExportsUsedInFile: process.argv.includes('--production'),
  // Stryker takes it from the root, not from its configuration's folder
  ignoreUnresolved: ['./test/mutation/sample.ts'],
  stryker: { config: ['test/mutation/stryker.config.json'] },
  ignoreBinaries: ['llama-server', 'Xvfb'],
  ignoreDependencies: ['@modelcontextprotocol/conformance', '@modelcontextprotocol/server-everything'],
}

export default config
