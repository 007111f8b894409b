import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const apiPort = process.env.SIMS_API_PORT ?? '3000';

export default defineConfig({
  root: 'src/web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The content security policy allows no data: fonts, so nothing is inlined.
    assetsInlineLimit: 0,
  },
  server: {
    port: 5173,
    // Only the calls: the module /api.ts is the application's own.
    proxy: { '^/api(?=[/?]|$)': `http://127.0.0.1:${apiPort}` },
  },
});
