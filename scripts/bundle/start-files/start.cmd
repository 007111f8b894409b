@echo off
rem Starts SIMS and opens it in the browser. Its records are not in this folder.
chcp 65001 >nul
title SIMS
"%~dp0node\bin\node.exe" "%~dp0app\dist\server\start-bundle.js" %*
