import { serve } from 'h3';
import { app } from './app.ts';

serve(app, { hostname: 'localhost', port: Number(process.env['PORT'] ?? 3000) });
