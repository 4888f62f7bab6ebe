import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { handler } from './auth.ts';
import { PagesController } from './pages.controller.ts';

@Module({ controllers: [PagesController] })
class AppModule {}

const app = await NestFactory.create<NestExpressApplication>(AppModule);
app.set('trust proxy', 'loopback');
// Answers below `/auth`.
app.use(handler);
await app.listen(Number(process.env['PORT'] ?? 3000), 'localhost');
