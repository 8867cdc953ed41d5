// Electron that is started with this folder runs this. There is no `main` in package.json, because the npm package has no app.
import './out/main/index.js';
